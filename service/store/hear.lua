-- Have a player's webhooks told of a table from now on: answers its version, or nothing.
-- What they are still to be told from before stays so.
-- KEYS: 1 table, 2 heard.  ARGV: player, what tells this mark from others
local version = redis.call('HGET', KEYS[1], 'version')
if not version then return false end
local known = redis.call('HGET', KEYS[2], ARGV[1])
local from = known and string.match(known, '^%d+') or version
redis.call('HSET', KEYS[2], ARGV[1], from .. '-' .. ARGV[2])
return version
