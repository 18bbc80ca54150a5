-- Put deliveries into a webhook's outbox, once: answers 0 where it was told meanwhile, or is off.
-- KEYS: 1 webhook, 2 told, 3 outbox, 4 due.
-- ARGV: table or nothing, version it was told up to or nothing, version, member of due, when it is
--       due, how many may wait; then the deliveries.  Without a table the version is what tells
--       this telling from others: one that is sent again since the reply was lost is done already.
local is_on = redis.call('HMGET', KEYS[1], 'webhook', 'off')
if not is_on[1] or is_on[2] then return 0 end
if ARGV[1] ~= '' then
  if (redis.call('HGET', KEYS[2], ARGV[1]) or '') ~= ARGV[2] then return 0 end
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
else
  if redis.call('HGET', KEYS[1], 'said') == ARGV[3] then return 1 end
  redis.call('HSET', KEYS[1], 'said', ARGV[3])
end
if #ARGV < 7 then return 1 end
for i = 7, #ARGV do redis.call('RPUSH', KEYS[3], ARGV[i]) end
local over = redis.call('LLEN', KEYS[3]) - ARGV[6]
if over > 0 then
  redis.call('LTRIM', KEYS[3], over, -1)
  redis.call('HINCRBY', KEYS[1], 'dropped', over)
end
-- What is due already is being sent, or waits until its endpoint is to be tried again.
redis.call('ZADD', KEYS[4], 'NX', ARGV[5], ARGV[4])
return 1
