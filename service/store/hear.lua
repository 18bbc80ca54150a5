-- Have a player's webhooks told of a table from now on: answers its version, or nothing where there
-- is none, or -1 where so many others are told of it.  What they are still to be told from before
-- stays so.
-- KEYS: 1 table, 2 heard.  ARGV: player, what tells this mark from others, how many may be told or 0
local version = redis.call('HGET', KEYS[1], 'version')
if not version then return false end
local known = redis.call('HGET', KEYS[2], ARGV[1])
local most = tonumber(ARGV[3])
if not known and most > 0 and redis.call('HLEN', KEYS[2]) >= most then return -1 end
local from = known and string.match(known, '^%d+') or version
redis.call('HSET', KEYS[2], ARGV[1], from .. '-' .. ARGV[2])
return version
