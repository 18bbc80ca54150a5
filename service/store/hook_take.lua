-- Take the first delivery of a webhook's outbox for a while: answers what the webhook is and how it
-- fares, and the delivery; or nothing, where none is to be sent now.
-- KEYS: 1 webhook, 2 outbox, 3 due.  ARGV: now, until when it is taken, member of due, lease
local known = redis.call('HMGET', KEYS[1], 'webhook', 'off', 'not_before', 'taken_until', 'taken_by')
local first = redis.call('LINDEX', KEYS[2], 0)
if not known[1] or known[2] or not first then
  redis.call('ZREM', KEYS[3], ARGV[3])
  return false
end
local free_at = tonumber(known[3] or 0)
-- Who has the lease already has lost the reply, and asks again.
if known[5] ~= ARGV[4] then free_at = math.max(free_at, tonumber(known[4] or 0)) end
if free_at > tonumber(ARGV[1]) then
  redis.call('ZADD', KEYS[3], free_at, ARGV[3])
  return false
end
redis.call('HSET', KEYS[1], 'taken_until', ARGV[2], 'taken_by', ARGV[4])
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[3])
return {redis.call('HGETALL', KEYS[1]), redis.call('LLEN', KEYS[2]), first}
