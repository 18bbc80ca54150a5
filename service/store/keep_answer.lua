-- Put an answer in the place of the claim that it answers, or take the claim away.
-- Answers 0 where somebody else holds the key.
-- KEYS: 1 answer.  ARGV: claim, answer or nothing, milliseconds to keep it.
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held == ARGV[2] and 1 or 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1
