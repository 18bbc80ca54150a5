-- All webhooks that hear of a table have been told up to a version: answers 1 where it is at that
-- version still, so that no more is due.
-- KEYS: 1 table, 2 heard, 3 due.
-- ARGV: version, member of due, when the table is to be looked at again or nothing; then player and
--       mark of those who are not to be told any more, unless their mark is another one by now
for i = 4, #ARGV, 2 do
  if redis.call('HGET', KEYS[2], ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', KEYS[2], ARGV[i]) end
end
local heard = redis.call('HGETALL', KEYS[2])
for i = 1, #heard, 2 do
  local from, mark = string.match(heard[i + 1], '^(%d+)-(.*)$')
  if tonumber(from) < tonumber(ARGV[1]) then
    redis.call('HSET', KEYS[2], heard[i], ARGV[1] .. '-' .. mark)
  end
end
local version = redis.call('HGET', KEYS[1], 'version')
if version and version ~= ARGV[1] then return 0 end
if ARGV[3] ~= '' then redis.call('ZADD', KEYS[3], ARGV[3], ARGV[2])
else redis.call('ZREM', KEYS[3], ARGV[2]) end
return 1
