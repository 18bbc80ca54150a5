-- Note that a player agrees to open a finished deal, once, however often they say so.
-- Answers 0 where there is no such deal.
-- KEYS: 1 deals, 2 opened.  ARGV: number, player.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local agreed = redis.call('HGET', KEYS[2], ARGV[1])
if not agreed then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
elseif not string.find(' ' .. agreed .. ' ', ' ' .. ARGV[2] .. ' ', 1, true) then
  redis.call('HSET', KEYS[2], ARGV[1], agreed .. ' ' .. ARGV[2])
end
return 1
