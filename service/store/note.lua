-- Note a table for a player: answers 1, or 0 where as many others as there may be are noted already.
-- KEYS: 1 noted.  ARGV: table, when, how many there may be, 0 being any number; player.
local most = tonumber(ARGV[3])
if most > 0 and not redis.call('ZSCORE', KEYS[1], ARGV[1])
  and redis.call('ZCARD', KEYS[1]) >= most then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('PUBLISH', 'paiute:changed:' .. ARGV[4], '')
return 1
