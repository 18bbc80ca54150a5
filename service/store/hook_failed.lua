-- A delivery has failed: it is due again later, or the webhook is switched off; nothing where
-- somebody else has the lease by now.
-- KEYS: 1 webhook, 2 outbox, 3 due.
-- ARGV: fault, now, when it is due again, member of due, why it is switched off or nothing, lease
if redis.call('HGET', KEYS[1], 'taken_by') ~= ARGV[6] then return end
redis.call('HDEL', KEYS[1], 'taken_by', 'taken_until')
redis.call('HSETNX', KEYS[1], 'failing_since', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'failures', 1)
redis.call('HSET', KEYS[1], 'fault', ARGV[1], 'slow', 1, 'not_before', ARGV[3])
if ARGV[5] == '' then
  redis.call('ZADD', KEYS[3], ARGV[3], ARGV[4])
else
  redis.call('HSET', KEYS[1], 'off', ARGV[5])
  redis.call('HINCRBY', KEYS[1], 'dropped', redis.call('LLEN', KEYS[2]))
  redis.call('DEL', KEYS[2])
  redis.call('ZREM', KEYS[3], ARGV[4])
end
