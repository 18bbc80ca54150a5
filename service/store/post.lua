-- One posting on one account, at most once: balance, ledger entry, and for a buy-in its due entry.
-- Answers {entry number, its fields}, also of one that was made before, or {'missing'}, or
-- {'short', balance}.
--
-- KEYS: 1 account, 2 ledger, 3 numbers of the postings by id, 4 due
local id, amount, why, at = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local table_id, deal, player, arrive_at = ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local balance = redis.call('HGET', KEYS[1], 'balance')
if not balance then return {'missing'} end
local known = redis.call('HGET', KEYS[3], id)
if known then
  return {known, redis.call('XRANGE', KEYS[2], known .. '-0', known .. '-0')[1][2]}
end
local after = string.format('%d', tonumber(balance) + tonumber(amount))
if tonumber(after) < 0 then return {'short', balance} end

local number = string.format('%d', redis.call('HLEN', KEYS[3]) + 1)
local entry = {'id', id, 'amount', amount, 'balance', after, 'why', why, 'at', at,
  'table', table_id, 'deal', deal}
redis.call('XADD', KEYS[2], number .. '-0', unpack(entry))
redis.call('HSET', KEYS[3], id, number)
redis.call('HSET', KEYS[1], 'balance', after)
if arrive_at ~= '' then
  redis.call('ZADD', KEYS[4], arrive_at, 'arrive:' .. player .. ':' .. number)
end
return {number, entry}
