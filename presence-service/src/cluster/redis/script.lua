-- Every script begins with this. ARGV[1]: until when it may run, in milliseconds by this clock; empty: without a limit. Otherwise
-- a Redis that was held up would run commands that their callers have given up, and in another order.
local function microseconds()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
local function now() return math.floor(microseconds() / 1000) end
local function whole(number) return string.format('%.0f', number) end

-- Grows with every call. It starts from the clock, so that it also grows after everything was lost.
local function nextOf(counter)
  local last = tonumber(redis.call('GET', counter) or '0')
  local next = whole(math.max(last + 1, microseconds()))
  redis.call('SET', counter, next)
  return next
end

local deadline = table.remove(ARGV, 1)
if deadline ~= '' and now() > tonumber(deadline) then return redis.error_reply('LATE') end

