-- One commit of one table: state, version, log entries, deal record, due and lobby entries, the
-- arrival of a buy-in, the chips owed to leavers, the answer to an idempotency key, and what is due
-- to those who are to be told of the table; all or nothing.  Answers 1 where it is written (now, or
-- by an earlier sending of this same commit), 0 where the table is at another version, -1 where the
-- buy-in was sent back before it arrived, -2 where the idempotency key has been answered, or
-- claimed, by somebody else meanwhile.
--
-- KEYS: 1 table, 2 log, 3 deals, 4 due, 5 lobby of open tables, 6 lobby of full tables,
--       7 arrivals, 8 owed, 9 answer, 10 heard, 11 tables that a quick match may choose,
--       12 all tables, 13 what is due for webhooks
local expected, version, commit_id = ARGV[1], ARGV[2], ARGV[3]
local state, format, table_id = ARGV[4], ARGV[5], ARGV[6]
local due, due_at, listing = ARGV[7], ARGV[8], ARGV[9]
local record_number, record = ARGV[10], ARGV[11]
local arrival, owed, pay_out, pay_out_at = ARGV[12], ARGV[13], ARGV[14], ARGV[15]
local claim, answer, answer_ms = ARGV[16], ARGV[17], ARGV[18]
local notify, now, hears = ARGV[19], ARGV[20], ARGV[21]
local match_rank, log_kept = ARGV[22], ARGV[23]
local FIRST_ENTRY = 24

local current = redis.call('HMGET', KEYS[1], 'version', 'due', 'listed')
if (current[1] or '0') ~= expected then
  -- The client may have sent this commit before and lost the reply: the log knows.
  local written = redis.call('XRANGE', KEYS[2], version .. '-0', version .. '-0')
  return written[1] and written[1][2][2] == commit_id and 1 or 0
end
if arrival ~= '' and redis.call('HEXISTS', KEYS[7], arrival) == 1 then return -1 end
if answer ~= '' then
  local held = redis.call('GET', KEYS[9])
  if held and held ~= claim then return -2 end
end

-- The log comes first: it refuses entries out of order before anything is written.
for i = FIRST_ENTRY, #ARGV, 2 do
  redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'commit', commit_id, 'entry', ARGV[i + 1])
end
if log_kept ~= '' then redis.call('XTRIM', KEYS[2], 'MAXLEN', '~', log_kept) end
local place = ' ' .. listing .. ' ' .. match_rank
redis.call('HSET', KEYS[1], 'version', version, 'format', format, 'state', state, 'due', due,
  'listed', version .. place)
if record_number ~= '' then redis.call('HSET', KEYS[3], record_number, record) end
if arrival ~= '' then redis.call('HSET', KEYS[7], arrival, version) end
if owed ~= '' then
  redis.call('HSET', KEYS[8], version, owed)
  redis.call('ZADD', KEYS[4], pay_out_at, pay_out)
end
if answer ~= '' then redis.call('SET', KEYS[9], answer, 'PX', answer_ms) end

-- Whoever hears of the table with this commit is to be told of it from what was before.
if hears ~= '' then
  local known = redis.call('HGET', KEYS[10], hears)
  local from = known and string.match(known, '^%d+') or expected
  redis.call('HSET', KEYS[10], hears, from .. '-' .. commit_id)
end
if notify ~= '' and redis.call('EXISTS', KEYS[10]) == 1 then
  redis.call('ZADD', KEYS[13], now, notify)
end

if current[2] and current[2] ~= '' then redis.call('ZREM', KEYS[4], current[2]) end
if due ~= '' then redis.call('ZADD', KEYS[4], due_at, due) end

-- Most commits leave a table where the one before, if that was this script's, has listed it.
if current[3] ~= expected .. place then
  if listing == 'open' then
    redis.call('ZADD', KEYS[5], 0, table_id)
    redis.call('ZREM', KEYS[6], table_id)
  elseif listing == 'full' then
    redis.call('ZADD', KEYS[6], 0, table_id)
    redis.call('ZREM', KEYS[5], table_id)
  else
    redis.call('ZREM', KEYS[5], table_id)
    redis.call('ZREM', KEYS[6], table_id)
  end
  if match_rank ~= '' then redis.call('ZADD', KEYS[11], match_rank, table_id)
  else redis.call('ZREM', KEYS[11], table_id) end
  redis.call('ZADD', KEYS[12], 0, table_id)
end
redis.call('PUBLISH', 'paiute:changed:' .. table_id, version)
return 1
