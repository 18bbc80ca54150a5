-- Forget tables that were noted at these times, but for those noted again since; for some time it is
-- remembered that they were noted.
-- KEYS: 1 noted, 2 left.  ARGV: now, for how long, then table, when, table, when, ...
local now, left_ms = ARGV[1], ARGV[2]
for i = 3, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) == ARGV[i + 1] then
    redis.call('ZREM', KEYS[1], ARGV[i])
    redis.call('ZADD', KEYS[2], now, ARGV[i])
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - left_ms)
redis.call('PEXPIRE', KEYS[2], left_ms)
