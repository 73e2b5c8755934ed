-- KEYS[1]: prefix of all keys; ARGV[1]: operation. See roster.redis.ts.
local prefix, operation = KEYS[1], ARGV[1]
local nodes, versions, turns = prefix .. ':nodes', prefix .. ':version', prefix .. ':turn'

local function key(kind, id) return prefix .. ':' .. kind .. ':' .. id end

local function recordOf(connection)
  local record = redis.call('HGET', key('connection', connection), 'record')
  return record and cjson.decode(record), record
end
-- The record's text, unless another connection has taken its tuple.
local function textInForce(connection)
  local found = redis.call('HMGET', key('connection', connection), 'record', 'superseded')
  return not found[2] and found[1]
end

-- Takes one of the user's connections out of the room's count; returns the version of the departure if it was the last one.
local function depart(server, user)
  local room = key('room', server)
  if redis.call('HEXISTS', room, user) == 0 then return nil end
  if redis.call('HINCRBY', room, user, -1) > 0 then return nil end
  redis.call('HDEL', room, user)
  return nextOf(versions)
end

local function withdraw(connection, departures)
  local record = recordOf(connection)
  if not record then return departures end
  for _, server in ipairs(redis.call('SMEMBERS', key('servers', connection))) do
    local version = depart(server, record.oderId)
    if version then
      table.insert(departures, server)
      table.insert(departures, record.oderId)
      table.insert(departures, version)
    end
  end
  redis.call('DEL', key('connection', connection), key('servers', connection))
  redis.call('SREM', key('superseded', record.nodeId), connection)
  redis.call('SREM', key('node', record.nodeId), connection)
  local connections = key('connections', record.oderId)
  redis.call('ZREM', connections, connection)
  if redis.call('ZCARD', connections) == 0 then redis.call('DEL', key('user', record.oderId)) end
  return departures
end

local operations = {}

function operations.register(text, limit)
  local record = cjson.decode(text)
  local id, user = record.connectionId, record.oderId
  local before = redis.call('HMGET', key('connection', id), 'record', 'superseded')
  if before[2] then return { 'superseded' } end
  local answer, older = { 'registered', '' }, nil
  local connections = redis.call('ZRANGE', key('connections', user), 0, -1)
  for _, rival in ipairs(connections) do
    local otherText = rival ~= id and textInForce(rival)
    if otherText then
      local other = cjson.decode(otherText)
      local same = other.clientInstanceId == record.clientInstanceId
        and other.connectionScope == record.connectionScope
      if same and not older then
        older = other
        answer[2] = otherText
      else
        table.insert(answer, otherText)
      end
    end
  end
  if #answer - 2 >= tonumber(limit) then return { 'full' } end
  redis.call('HSET', key('user', user), 'username', record.username, 'displayName', record.displayName)
  if #connections == 0 then redis.call('HSET', key('user', user), 'status', 'online') end
  if not before[1] then
    redis.call('ZADD', key('connections', user), redis.call('INCR', turns), id)
    redis.call('SADD', key('node', record.nodeId), id)
  end
  redis.call('HSET', key('connection', id), 'record', text)
  if older then
    redis.call('HSET', key('connection', older.connectionId), 'superseded', '1')
    redis.call('SADD', key('superseded', older.nodeId), older.connectionId)
  end
  return answer
end

function operations.unregister(connection) return withdraw(connection, {}) end

function operations.enter(server, connection)
  local record = recordOf(connection)
  if not record then return redis.error_reply('NOT_REGISTERED') end
  local room = key('room', server)
  local arrived = redis.call('HEXISTS', room, record.oderId) == 0
  if redis.call('SADD', key('servers', connection), server) == 1 then
    redis.call('HINCRBY', room, record.oderId, 1)
  end
  local answer = { arrived and nextOf(versions) or '' }
  for _, user in ipairs(redis.call('HKEYS', room)) do
    local known = redis.call('HMGET', key('user', user), 'displayName', 'status', 'statusText', 'username')
    if known[1] then
      local text = known[3] and ('"' .. known[3]) or ''
      for _, part in ipairs({ user, known[4] or '', known[1], known[2], text }) do table.insert(answer, part) end
    end
  end
  return answer
end

function operations.leave(server, connection)
  local record = recordOf(connection)
  if not record or redis.call('SREM', key('servers', connection), server) == 0 then return {} end
  local version = depart(server, record.oderId)
  return version and { server, record.oderId, version } or {}
end

function operations.setStatus(user, status, hasText, text)
  if redis.call('EXISTS', key('user', user)) == 0 then return {} end
  redis.call('HSET', key('user', user), 'status', status)
  if hasText == '1' then redis.call('HSET', key('user', user), 'statusText', text)
  else redis.call('HDEL', key('user', user), 'statusText') end
  return {}
end

function operations.setDisplayName(user, name)
  if redis.call('EXISTS', key('user', user)) == 1 then
    redis.call('HSET', key('user', user), 'displayName', name)
  end
  return {}
end

function operations.serversOf(user)
  local keys = {}
  for _, connection in ipairs(redis.call('ZRANGE', key('connections', user), 0, -1)) do
    table.insert(keys, key('servers', connection))
  end
  return #keys > 0 and redis.call('SUNION', unpack(keys)) or {}
end

function operations.online(...)
  local counts = {}
  for _, server in ipairs({ ... }) do table.insert(counts, whole(redis.call('HLEN', key('room', server)))) end
  return counts
end

function operations.renew(node, ttl)
  local answer = { redis.call('ZSCORE', nodes, node) and '1' or '0' }
  redis.call('ZADD', nodes, whole(now() + tonumber(ttl)), node)
  -- Until a late node is reaped, it may come back with its connections.
  table.insert(answer, redis.call('ZCARD', nodes) == 1 and '1' or '0')
  for _, connection in ipairs(redis.call('SMEMBERS', key('superseded', node))) do
    local _, text = recordOf(connection)
    if text then table.insert(answer, text) end
  end
  return answer
end

-- Sets the connections of a dead node apart at once, because the node may come back under its name and register others. Then
-- forgets them in batches, so that no other caller waits for long. Returns whether any are left, then the departures.
function operations.reap(most)
  local dead = prefix .. ':dead'
  for _, node in ipairs(redis.call('ZRANGE', nodes, '-inf', whole(now()), 'BYSCORE')) do
    redis.call('ZREM', nodes, node)
    if redis.call('EXISTS', key('node', node)) == 1 then
      local set = key('dead', whole(redis.call('INCR', turns)))
      redis.call('RENAME', key('node', node), set)
      redis.call('SADD', dead, set)
    end
  end
  local answer, free = { '0' }, tonumber(most)
  for _, set in ipairs(redis.call('SMEMBERS', dead)) do
    local connections = redis.call('SPOP', set, free)
    for _, connection in ipairs(connections) do withdraw(connection, answer) end
    free = free - #connections
    if redis.call('EXISTS', set) == 0 then redis.call('SREM', dead, set) else answer[1] = '1' end
  end
  return answer
end

return operations[operation](unpack(ARGV, 2))
