-- KEYS[1]: prefix of all keys; ARGV[1]: what to do. See voice-leases.redis.ts.
local prefix, operation = KEYS[1], ARGV[1]
local endings, fences = prefix .. ':endings', prefix .. ':fence'

local function microseconds()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
local function now() return math.floor(microseconds() / 1000) end
local function whole(number) return string.format('%.0f', number) end
local function leaseOf(user) return prefix .. ':lease:' .. user end
local function usersOf(server) return prefix .. ':server:' .. server end

local operations = {}

function operations.see(user)
  return { redis.call('GET', leaseOf(user)) or '', whole(now()) }
end

-- Grows with every call and, as it starts from the clock, also after everything was lost.
function operations.fence()
  local last = tonumber(redis.call('GET', fences) or '0')
  local next = whole(math.max(last + 1, microseconds()))
  redis.call('SET', fences, next)
  return { next }
end

function operations.put(user, seen, seenServer, lease, expiresAt, server)
  if (redis.call('GET', leaseOf(user)) or '') ~= seen then return { '0' } end
  if seenServer ~= '' then redis.call('SREM', usersOf(seenServer), user) end
  if lease then
    redis.call('SET', leaseOf(user), lease)
    redis.call('ZADD', endings, expiresAt, user)
    redis.call('SADD', usersOf(server), user)
  else
    redis.call('DEL', leaseOf(user))
    redis.call('ZREM', endings, user)
  end
  return { '1' }
end

function operations.expire()
  local ended = {}
  for _, user in ipairs(redis.call('ZRANGE', endings, '-inf', whole(now()), 'BYSCORE')) do
    local lease = redis.call('GET', leaseOf(user))
    redis.call('ZREM', endings, user)
    if lease then
      redis.call('DEL', leaseOf(user))
      redis.call('SREM', usersOf(cjson.decode(lease).serverId), user)
      table.insert(ended, lease)
    end
  end
  return ended
end

function operations.inServer(server)
  local leases = {}
  for _, user in ipairs(redis.call('SMEMBERS', usersOf(server))) do
    local lease = redis.call('GET', leaseOf(user))
    if lease then table.insert(leases, lease) end
  end
  return leases
end

return operations[operation](unpack(ARGV, 2))
