-- Hold a place until a later time; answers 0 where the holder has so many others already.
-- KEYS: 1 leases
local place, now, until_ms, most, lease_ms = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if not redis.call('ZSCORE', KEYS[1], place) and redis.call('ZCARD', KEYS[1]) >= most then return 0 end
redis.call('ZADD', KEYS[1], until_ms, place)
redis.call('PEXPIRE', KEYS[1], lease_ms)
return 1
