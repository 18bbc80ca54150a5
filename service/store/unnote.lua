-- Forget tables that were noted at these times, but for those noted again since.
-- KEYS: 1 noted.  ARGV: table, when, table, when, ...
for i = 1, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) == ARGV[i + 1] then
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
