-- One commit of one table: state, version, log entries, deal record, due and lobby entries,
-- all or nothing.  Answers 1 where it is written (now, or by an earlier sending of this same
-- commit), 0 where the table is at another version.
--
-- KEYS: 1 table, 2 log, 3 deals, 4 due, 5 lobby of open tables, 6 lobby of full tables
local expected, version, commit_id = ARGV[1], ARGV[2], ARGV[3]
local state, format, table_id = ARGV[4], ARGV[5], ARGV[6]
local due, due_at, listing = ARGV[7], ARGV[8], ARGV[9]
local record_number, record, seconds_to_live = ARGV[10], ARGV[11], ARGV[12]

local current = redis.call('HMGET', KEYS[1], 'version', 'due')
if (current[1] or '0') ~= expected then
  -- The client may have sent this commit before and lost the reply: the log knows.
  local written = redis.call('XRANGE', KEYS[2], version .. '-0', version .. '-0')
  return written[1] and written[1][2][2] == commit_id and 1 or 0
end

-- The log comes first: it refuses entries out of order before anything is written.
for i = 13, #ARGV, 2 do
  redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'commit', commit_id, 'entry', ARGV[i + 1])
end
redis.call('HSET', KEYS[1], 'version', version, 'format', format, 'state', state, 'due', due)
if record_number ~= '' then redis.call('HSET', KEYS[3], record_number, record) end

if current[2] and current[2] ~= '' then redis.call('ZREM', KEYS[4], current[2]) end
if due ~= '' then redis.call('ZADD', KEYS[4], due_at, due) end

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

if seconds_to_live ~= '' then
  for i = 1, 3 do redis.call('EXPIRE', KEYS[i], seconds_to_live) end
end
redis.call('PUBLISH', 'paiute:changed', table_id)
return 1
