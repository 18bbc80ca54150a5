-- An endpoint has taken a delivery: the next one is due at once.
-- KEYS: 1 webhook, 2 outbox, 3 due.
-- ARGV: delivery, now, member of due, 1 where it took its time, lease
if redis.call('EXISTS', KEYS[1]) == 0 then return end
if redis.call('LINDEX', KEYS[2], 0) == ARGV[1] then redis.call('LPOP', KEYS[2]) end
-- Who was so slow that somebody else has the lease by now leaves the rest to them.
if redis.call('HGET', KEYS[1], 'taken_by') ~= ARGV[5] then return end
redis.call('HDEL', KEYS[1], 'taken_by', 'taken_until', 'failing_since', 'failures', 'fault',
  'not_before', 'slow')
if ARGV[4] == '1' then redis.call('HSET', KEYS[1], 'slow', 1) end
if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('ZADD', KEYS[3], ARGV[2], ARGV[3])
else redis.call('ZREM', KEYS[3], ARGV[3]) end
