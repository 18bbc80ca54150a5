-- Keep a new webhook; it is slow until its endpoint is quick.  Answers the tables that are noted for its player, or nothing where the player
-- has too many webhooks.
-- KEYS: 1 the player's webhooks, 2 webhook, 3 told, 4 noted.
-- ARGV: id, webhook, how many there may be; then table, version, ...
if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 0 then
  if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[3]) then return false end
  redis.call('SADD', KEYS[1], ARGV[1])
  redis.call('HSET', KEYS[2], 'webhook', ARGV[2], 'slow', 1)
  for i = 4, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
end
return redis.call('ZRANGE', KEYS[4], 0, -1)
