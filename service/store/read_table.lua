-- A table with all that tells of its chips, and the first page of its log, at one moment.
-- Changes nothing.  Of a table that is not there it still tells the arrivals.
-- Answers {version, format, state}, {arrivals}, {owed}, {1 for each owed that is due to be paid
-- out}, {the first entries of the log}, {the last one}.
--
-- KEYS: 1 table, 2 log, 3 arrivals, 4 owed, 5 due.  ARGV: table id, how many entries at most
local owed, due = redis.call('HGETALL', KEYS[4]), {}
for i = 1, #owed, 2 do
  local member = 'pay_out:' .. ARGV[1] .. ':' .. owed[i]
  due[#due + 1] = redis.call('ZSCORE', KEYS[5], member) and 1 or 0
end
return {
  redis.call('HMGET', KEYS[1], 'version', 'format', 'state'),
  redis.call('HGETALL', KEYS[3]),
  owed,
  due,
  redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', ARGV[2]),
  redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1),
}
