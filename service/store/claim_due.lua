-- The due entries of one partition, each put off until it is to be tried again.
-- KEYS: 1 due.  ARGV: now, when to retry, how many at most.
local ready = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, due in ipairs(ready) do redis.call('ZADD', KEYS[1], ARGV[2], due) end
return ready
