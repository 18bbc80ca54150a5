-- Put a token on the list of the revoked, once, and take some off that have expired by now.
-- KEYS: 1 the list, 2 its entries by token, 3 its tokens by when they expire.
-- ARGV: token, when it expires or nothing, now, the channel to say it on.
local over = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[3], 'LIMIT', 0, 100)
for _, token in ipairs(over) do
  local entry = redis.call('HGET', KEYS[2], token)
  if entry then redis.call('XDEL', KEYS[1], entry) end
  redis.call('HDEL', KEYS[2], token)
  redis.call('ZREM', KEYS[3], token)
end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 then
  local entry = redis.call('XADD', KEYS[1], '*', 'token', ARGV[1], 'until', ARGV[2])
  redis.call('HSET', KEYS[2], ARGV[1], entry)
  if ARGV[2] ~= '' then redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1]) end
end
redis.call('PUBLISH', ARGV[4], '')
return 1
