-- Put a token on the list of the revoked, and take some off that have expired by now.
-- KEYS: 1 the list, 2 its entries by when their tokens expire.
-- ARGV: token, when it expires or nothing, now, the channel and the name to publish.
local over = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[3], 'LIMIT', 0, 100)
for _, entry in ipairs(over) do
  redis.call('XDEL', KEYS[1], entry)
  redis.call('ZREM', KEYS[2], entry)
end
local entry = redis.call('XADD', KEYS[1], '*', 'token', ARGV[1], 'until', ARGV[2])
if ARGV[2] ~= '' then redis.call('ZADD', KEYS[2], ARGV[2], entry) end
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 1
