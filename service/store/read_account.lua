-- One page of an account's ledger, the oldest entries first, with what belongs to them, at one
-- moment.  Changes nothing.
-- Answers {balance, how many postings are known, entries, the number that is known of each entry's
-- posting, 1 for each entry whose buy-in is due to arrive}, or nothing where there is no account.
--
-- KEYS: 1 account, 2 ledger, 3 numbers of the postings by id, 4 due
-- ARGV: player, the number that the page begins after, how many entries at most
local player, after, limit = ARGV[1], ARGV[2], ARGV[3]

if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local entries = redis.call('XRANGE', KEYS[2], '(' .. after .. '-0', '+', 'COUNT', limit)
local numbers, due = {}, {}
for i, entry in ipairs(entries) do
  local number = string.match(entry[1], '^%d+')
  numbers[i] = redis.call('HGET', KEYS[3], entry[2][2])
  due[i] = redis.call('ZSCORE', KEYS[4], 'arrive:' .. player .. ':' .. number) and 1 or 0
end
return {redis.call('HGET', KEYS[1], 'balance'), redis.call('HLEN', KEYS[3]), entries, numbers, due}
