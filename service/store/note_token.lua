-- Note a further token of an account, and forget those that count no more.
-- Answers 1, or 0 where as many others as there may be count already.
-- KEYS: 1 tokens, 2 until when each counts.
-- ARGV: token, note, until when it counts, now, how many there may be.
local over = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[4])
for _, token in ipairs(over) do
  redis.call('HDEL', KEYS[1], token)
  redis.call('ZREM', KEYS[2], token)
end
if not redis.call('ZSCORE', KEYS[2], ARGV[1])
  and redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[5]) then return 0 end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
