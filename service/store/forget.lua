-- Forget a closed table whose time is over, unless chips are still owed to somebody.
-- Answers 1 where nothing of it is left.
-- KEYS: 1 table, 2 log, 3 deals, 4 arrivals, 5 owed, 6 due, 7 house, 8 opened, 9 heard,
-- 10 all tables.  ARGV: version, house chips, table
if redis.call('EXISTS', KEYS[5]) == 1 then return 0 end
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 1 end
redis.call('ZREM', KEYS[6], redis.call('HGET', KEYS[1], 'due'))
redis.call('HINCRBY', KEYS[7], 'chips', ARGV[2])
redis.call('HINCRBY', KEYS[7], 'tables', 1)
redis.call('ZREM', KEYS[10], ARGV[3])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[8], KEYS[9])
-- A buy-in that is still due must find that it has arrived.
redis.call('EXPIRE', KEYS[4], 86400)
return 1
