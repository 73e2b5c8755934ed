-- KEYS[1]: prefix of all keys; ARGV[1]: operation. See voice-leases.redis.ts.
local prefix, operation = KEYS[1], ARGV[1]
local endings, versions = prefix .. ':endings', prefix .. ':fence'

local function leaseOf(user) return prefix .. ':lease:' .. user end
local function usersOf(server) return prefix .. ':server:' .. server end

local operations = {}

local function hasChanged(user, seen) return (redis.call('GET', leaseOf(user)) or '') ~= seen end

local function keep(user, lease, expiresAt)
  redis.call('SET', leaseOf(user), lease)
  redis.call('ZADD', endings, expiresAt, user)
end

function operations.read(user)
  return { redis.call('GET', leaseOf(user)) or '', whole(now()) }
end

-- The next three change the lease only if it is still the text that the caller has read; otherwise they return nothing.

function operations.grant(user, seen, seenServer, lease, expiresAt, server)
  if hasChanged(user, seen) then return {} end
  local version = nextOf(versions)
  if seenServer ~= '' then redis.call('SREM', usersOf(seenServer), user) end
  keep(user, '{"version":' .. version .. ',' .. string.sub(lease, 2), expiresAt)
  redis.call('SADD', usersOf(server), user)
  return { version }
end

function operations.keep(user, seen, lease, expiresAt)
  if hasChanged(user, seen) then return {} end
  keep(user, lease, expiresAt)
  return { 'kept' }
end

function operations.release(user, seen, seenServer)
  if hasChanged(user, seen) then return {} end
  redis.call('SREM', usersOf(seenServer), user)
  redis.call('DEL', leaseOf(user))
  redis.call('ZREM', endings, user)
  return { nextOf(versions) }
end

-- Returns each ended lease, followed by the version of its end.
function operations.expire()
  local ended = {}
  for _, user in ipairs(redis.call('ZRANGE', endings, '-inf', whole(now()), 'BYSCORE')) do
    local lease = redis.call('GET', leaseOf(user))
    redis.call('ZREM', endings, user)
    if lease then
      redis.call('DEL', leaseOf(user))
      redis.call('SREM', usersOf(cjson.decode(lease).serverId), user)
      table.insert(ended, lease)
      table.insert(ended, nextOf(versions))
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
