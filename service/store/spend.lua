-- Take requests out of a bucket: answers 1, or 0 where there are not so many in it.
-- What is kept of a bucket is when it will be full again, in microseconds; until then it is kept.
-- KEYS: 1 bucket.  ARGV: how long what is taken takes to come back, how long a whole bucket does.
local time = redis.call('TIME')
local now, taken, whole = time[1] * 1000000 + time[2], tonumber(ARGV[1]), tonumber(ARGV[2])
local full_at = tonumber(redis.call('GET', KEYS[1]) or 0)
-- Later than any bucket can be full: it was larger before, or the clock has been put back.
if full_at > now + whole then full_at = now end
full_at = math.max(full_at, now) + taken
if full_at > now + whole then return 0 end
redis.call('SET', KEYS[1], string.format('%d', full_at), 'PX', math.ceil((full_at - now) / 1000))
return 1
