/**
 * Applies counter steps (`lib/accounts/shared-counters.ts`) in Redis or Valkey. KEYS: the epoch, the call, then the counters,
 * which the steps name by their place. ARGV: the steps, the instant in milliseconds (empty: the server's), the epoch (empty: none).
 * Returns the outcomes as JSON; an empty text if the epoch is another one. A call is applied once, even if it is sent again
 * within two seconds.
 */
export const APPLY_STEPS = `
local values = redis.call('MGET', unpack(KEYS))
if ARGV[3] ~= '' and values[1] ~= ARGV[3] then return '' end
if values[2] then return values[2] end
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local whole = now - now % 1000
local counters, ends = {}, {}

local function load(i)
  local found = counters[i]
  if found == nil then
    found = values[i] and cjson.decode(values[i]) or false
    counters[i] = found
  end
  return found
end

-- A window at this moment: start, used, peak, and whether the clock was set back, which restarts it with its count.
local function window(found, from, length)
  local s = found and found[from]
  if not s or now >= s + length then return whole, 0, 0, false end
  if now < s then return whole, found[from + 1], found[from + 2], true end
  return s, found[from + 1], found[from + 2], false
end

-- Counts refusals of an offender. Returns which of them is one violation too many, from 1; or 0.
local function refuse(i, refusals, threshold, resets)
  local known = load(i)
  local abusive = 0
  if not known then
    known = { resets, now }
  elseif known[1] ~= resets or now < known[2] then
    known[1], known[2] = resets, now
  elseif now - known[2] > 2000 then
    local slot = math.floor(now / 100)
    local kept, total = { known[1], known[2] }, 0
    if #known == 2 or known[#known - 1] <= slot then
      for j = 3, #known - 1, 2 do
        if known[j] > slot - 600 then
          kept[#kept + 1] = known[j]
          kept[#kept + 1] = known[j + 1]
          total = total + known[j + 1]
        end
      end
    end
    if total + refusals > threshold then
      abusive = math.max(1, threshold + 1 - total)
      local rest = (refusals - abusive) % (threshold + 1)
      kept = { known[1], known[2] }
      if rest > 0 then kept[3], kept[4] = slot, rest end
    elseif #kept > 2 and kept[#kept - 1] == slot then
      kept[#kept] = kept[#kept] + refusals
    else
      kept[#kept + 1] = slot
      kept[#kept + 1] = refusals
    end
    known = kept
  end
  counters[i] = known
  ends[i] = math.max(known[1], #known > 2 and (known[#known - 1] + 600) * 100 or 0)
  return abusive
end

local outcomes = {}
for n, step in ipairs(cjson.decode(ARGV[1])) do
  if step[1] == 'spend' then
    local times = step[2]
    local granted, behind = times, false
    local outcome = { 0, 0 }
    for c = 5, #step do
      local counter = step[c]
      local found = load(counter[1])
      local s, u, p, back = window(found, 1, counter[3])
      local seen = { s, u, p }
      behind = behind or back
      granted = math.min(granted, math.max(0, counter[4] - u))
      if counter[5] > 0 then
        s, u, p, back = window(found, 4, counter[5])
        seen[4], seen[5], seen[6] = s, u, p
        behind = behind or back
        granted = math.min(granted, math.max(0, counter[6] - u))
      end
      outcome[c - 2] = seen
    end
    outcome[1] = granted
    if granted > 0 or behind then
      for c = 5, #step do
        local counter, seen = step[c], outcome[c - 2]
        local used = seen[2] + granted
        local after = { seen[1], used, math.max(seen[3], used) }
        local last = seen[1] + counter[3]
        if seen[4] then
          used = seen[5] + granted
          after[4], after[5], after[6] = seen[4], used, math.max(seen[6], used)
          last = math.max(last, seen[4] + counter[5])
        end
        counters[counter[1]] = after
        ends[counter[1]] = last
      end
    end
    if granted < times and step[3] > 0 then
      local counter, seen = step[5], outcome[3]
      -- The window of the response's headers: fewer requests left, then the later reset.
      local first = math.max(0, counter[4] - seen[2] - granted)
      local second = math.max(0, counter[6] - seen[5] - granted)
      local resets, later = seen[1] + counter[3], seen[4] + counter[5]
      if second < first or (second == first and later > resets) then resets = later end
      outcome[2] = refuse(step[3], times - granted, step[4], resets)
    end
    outcomes[n] = outcome
  elseif step[1] == 'refund' then
    for c = 2, #step do
      local i = step[c][1]
      local found = load(i)
      if found then
        if found[1] == step[c][2] and found[2] > 0 then found[2] = found[2] - 1 end
        if found[4] == step[c][3] and found[5] > 0 then found[5] = found[5] - 1 end
        ends[i] = ends[i] or 'same'
      end
    end
    outcomes[n] = 0
  else
    local known = load(step[2])
    if known then
      counters[step[2]] = { known[1], now }
      ends[step[2]] = known[1]
    end
    outcomes[n] = 0
  end
end

for i, last in pairs(ends) do
  local text = cjson.encode(counters[i])
  if last == 'same' then
    redis.call('SET', KEYS[i], text, 'KEEPTTL')
  else
    -- A minute longer, should the clock be set back.
    redis.call('SET', KEYS[i], text, 'PX', math.max(1, last - now) + 60000)
  end
end
local reply = cjson.encode({ at = now, outcomes = outcomes })
redis.call('SET', KEYS[2], reply, 'PX', 2000)
return reply
`;
