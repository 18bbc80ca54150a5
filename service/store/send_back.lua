-- Decide whether a buy-in has arrived at its table: 1 if so; else 0, and it never will.
-- KEYS: 1 arrivals, 2 table.  ARGV: posting id, seconds that a table that is not there is kept.
if redis.call('HSETNX', KEYS[1], ARGV[1], 'back') == 0 then
  return redis.call('HGET', KEYS[1], ARGV[1]) == 'back' and 0 or 1
end
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return 0
