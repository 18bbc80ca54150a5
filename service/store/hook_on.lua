-- Switch a webhook on again; what waits for it is due at once, or once it is not being sent any
-- more: who has the lease keeps it.  A slow one stays so until its endpoint is quick.
-- KEYS: 1 webhook, 2 told, 3 outbox, 4 due.  ARGV: member of due, now; then table, version, ...
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[1], 'off', 'failing_since', 'failures', 'fault', 'not_before')
for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
if redis.call('EXISTS', KEYS[3]) == 1 then redis.call('ZADD', KEYS[4], ARGV[2], ARGV[1]) end
return 1
