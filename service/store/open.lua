-- Make an account with its grant, once, and keep the answer to an idempotency key.
-- Answers 1, or -2 where the key has been answered, or claimed, by somebody else meanwhile.
--
-- KEYS: 1 account, 2 ledger, 3 numbers of the postings by id, 4 answer
local player, chips, at = ARGV[1], ARGV[2], ARGV[3]
local claim, answer, answer_ms = ARGV[4], ARGV[5], ARGV[6]

if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
if answer ~= '' then
  local held = redis.call('GET', KEYS[4])
  if held and held ~= claim then return -2 end
end

redis.call('XADD', KEYS[2], '1-0', 'id', 'grant', 'amount', chips, 'balance', chips,
  'why', 'grant', 'at', at, 'table', '', 'deal', '')
redis.call('HSET', KEYS[3], 'grant', 1)
redis.call('HSET', KEYS[1], 'player', player, 'balance', chips, 'created_at', at)
if answer ~= '' then redis.call('SET', KEYS[4], answer, 'PX', answer_ms) end
return 1
