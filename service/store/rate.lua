-- Write what a deal does to the ratings of its players, once, all or nothing.
-- Answers 1 where it is written, now or before, and 0 where a rating has changed since it was read.
--
-- A rating begins with the number of its deals, which rises with each change: so it serves as the
-- rating's version.  On a board all scores are 0, so that places are in the order of their names.
--
-- KEYS: 1 ratings, 2 the number of the table's last rated deal, then the board of each player
-- ARGV: 1 the deal's number, then for each player: id, how many deals before, rating, place
local deal = tonumber(ARGV[1])
if deal <= tonumber(redis.call('GET', KEYS[2]) or 0) then return 1 end

local before = {}
for i = 2, #ARGV, 4 do
  local known = redis.call('HGET', KEYS[1], ARGV[i])
  if (known and string.match(known, '^%[(%d+)') or '0') ~= ARGV[i + 1] then return 0 end
  before[i] = known
end
for i = 2, #ARGV, 4 do
  local player, board = ARGV[i], KEYS[3 + (i - 2) / 4]
  if before[i] then
    local points = string.match(before[i], '^%[%d+,%d+,(%d+)')
    redis.call('ZREM', board, string.format('%06d', points) .. '-' .. player)
  end
  redis.call('HSET', KEYS[1], player, ARGV[i + 2])
  redis.call('ZADD', board, 0, ARGV[i + 3])
end
redis.call('SET', KEYS[2], ARGV[1])
return 1
