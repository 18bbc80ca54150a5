-- Invite a player to a table, once from each inviter, unless there are as many others as may be.
-- Answers the stream entry of the invitation, the earlier one if repeated, or nothing.
--
-- A number is the time, or one more than the last one: so numbers rise even where the stream, with
-- its last number, has run out.
--
-- KEYS: 1 invitations
local player, most, open_ms = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local table_id, from, inviter, code, at = ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local number = tonumber(at)
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('XTRIM', KEYS[1], 'MINID', string.format('%d', number - open_ms + 1))
  local open = redis.call('XRANGE', KEYS[1], '-', '+')
  for _, one in ipairs(open) do
    if one[2][2] == table_id and one[2][4] == from then return one end
  end
  if #open >= most then return false end
  local about = redis.call('XINFO', 'STREAM', KEYS[1])
  for i = 1, #about, 2 do
    if about[i] == 'last-generated-id' then
      number = math.max(number, tonumber(string.match(about[i + 1], '^%d+')) + 1)
    end
  end
end
local fields = {'table', table_id, 'from', from, 'inviter', inviter, 'code', code, 'at', at}
local id = redis.call('XADD', KEYS[1], string.format('%d', number) .. '-0', unpack(fields))
redis.call('PEXPIRE', KEYS[1], open_ms)
redis.call('PUBLISH', 'paiute:changed:' .. player, '')
return {id, fields}
