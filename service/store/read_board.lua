-- A page of a board, as it is at one moment.  Answers how many stand before its first player, how
-- many of these have more points, the places, and the ratings; nothing where the page is empty.
-- KEYS: 1 board, 2 ratings.  ARGV: what the places are below ('+', or one with its bound), how many
local places = redis.call('ZREVRANGEBYLEX', KEYS[1], ARGV[1], '-', 'LIMIT', 0, ARGV[2])
if #places == 0 then return {} end
local first, players = places[1], {}
for i, place in ipairs(places) do players[i] = string.sub(place, 8) end
return {
  redis.call('ZLEXCOUNT', KEYS[1], '(' .. first, '+'),
  redis.call('ZLEXCOUNT', KEYS[1], '(' .. string.sub(first, 1, 6) .. '.', '+'),
  places,
  redis.call('HMGET', KEYS[2], unpack(players)),
}
