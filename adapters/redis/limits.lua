-- Applies counter steps (lib/accounts/shared-counters.ts) in Redis or Valkey, for all processes on the server. One call decides
-- while no other command runs, so that a process that is paused between two decisions blocks no other one.
--
-- The rules are those of the limiter in memory: lib/accounts/memory-limiter.ts, lib/model/window.ts and
-- lib/accounts/violations.ts. test/helpers/limiter-agreement.ts compares the two call by call.
--
-- KEYS: that of the epoch, that of the call, then those of the counters, which the steps name by their place.
-- ARGV: the steps; the instant in milliseconds, or an empty text for the server's clock; the epoch, or an empty text for none.
-- Returns the outcomes as JSON; an empty text if these are the counters of another epoch.
--
-- The script needs no version: a process runs it by the digest of its text. The form of the counters stays the same.

local EPOCH, CALL = 1, 2
local values = redis.call('MGET', unpack(KEYS))
if ARGV[3] ~= '' and values[EPOCH] ~= ARGV[3] then return '' end
-- A call that is sent again, because its reply was late, is not counted again.
if values[CALL] then return values[CALL] end
local CALL_REMEMBERED_MS = 2000

local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local whole_second = now - now % 1000

-- The counters of this call by place: their numbers, or false for one that does not exist. Those of a counter of requests are
-- start, used and peak of its first window, then of its second one if it has two. Those of a counter of violations are the end
-- of the window that refused last, the instant of its first refusal, then a number of slot and its violations for each slot
-- that has any, the oldest first.
local counters = {}
-- When each changed counter ends.
local ends = {}
-- The end of a counter that changed but lasts as long as before.
local UNCHANGED = 'unchanged'

local function load(place)
  local numbers = counters[place]
  if numbers == nil then
    numbers = values[place] and cjson.decode(values[place]) or false
    counters[place] = numbers
  end
  return numbers
end

local function store(place, numbers, ends_at)
  counters[place] = numbers
  ends[place] = ends_at
end

-- Returns start, used and peak of the window whose numbers are `first` and the two after it, as it is now, with the rules of
-- `windowAt` in lib/model/window.ts; and whether the clock was set back.
local function window(numbers, first, length)
  local start = numbers and numbers[first]
  -- A new window begins at a whole second, so that it ends at one.
  if not start or now >= start + length then return whole_second, 0, 0, false end
  local used, peak = numbers[first + 1], numbers[first + 2]
  -- The clock was set back: the window restarts and keeps its count, so that no quota is granted twice.
  if now < start then return whole_second, used, peak, true end
  return start, used, peak, false
end

-- Refusals so soon after the first one are no violations: they may have been sent before it arrived.
local GRACE_MS = 2000
local SLOT_MS = 100
local SLOTS_OF_A_MINUTE = 600

-- Counts refusals of an offender by the window that ends at `resets_at`. Returns which of them is the first that makes more
-- than `threshold` violations within a minute, from 1; or 0 if none does. The rules are those of lib/accounts/violations.ts.
local function refuse(offender, refusals, threshold, resets_at)
  local known = load(offender) or { resets_at, now }
  local window_end, first_refusal_at = known[1], known[2]
  if window_end ~= resets_at or now < first_refusal_at then
    -- In another window, or after the clock was set back, the time of grace restarts.
    known[1], known[2] = resets_at, now
  end
  local abusive = 0
  if now - known[2] > GRACE_MS then
    local slot = math.floor(now / SLOT_MS)
    local newest = known[#known - 1]
    local counted, total = { known[1], known[2] }, 0
    -- If the clock was set back before the newest slot, the age of the violations is unknown, and none of them counts.
    if #known == 2 or newest <= slot then
      for place = 3, #known - 1, 2 do
        local known_slot, violations = known[place], known[place + 1]
        if known_slot > slot - SLOTS_OF_A_MINUTE then
          counted[#counted + 1] = known_slot
          counted[#counted + 1] = violations
          total = total + violations
        end
      end
    end
    if total + refusals > threshold then
      abusive = math.max(1, threshold + 1 - total)
      -- The count restarts after each violation too many, so only the refusals after the last of these are left.
      local rest = (refusals - abusive) % (threshold + 1)
      counted = { known[1], known[2] }
      if rest > 0 then counted[3], counted[4] = slot, rest end
    elseif #counted > 2 and counted[#counted - 1] == slot then
      counted[#counted] = counted[#counted] + refusals
    else
      counted[#counted + 1] = slot
      counted[#counted + 1] = refusals
    end
    known = counted
  end
  local ends_at = known[1]
  if #known > 2 then ends_at = math.max(ends_at, (known[#known - 1] + SLOTS_OF_A_MINUTE) * SLOT_MS) end
  store(offender, known, ends_at)
  return abusive
end

-- Applies {'spend', times, place of the offender or 0, threshold, ...counters}, where a counter is
-- {place, saved, length and limit of its first window, length and limit of its second one or 0, 0}. Nothing is saved here.
-- Returns {granted, abusive, ...the windows of each counter as they were before}.
local function spend(step)
  local _, times, offender, threshold = unpack(step, 1, 4)
  local granted, any_set_back = times, false
  local outcome = { 0, 0 }
  -- As many are granted as all windows of all counters allow.
  for c = 5, #step do
    local place, _, first_length, first_limit, second_length, second_limit = unpack(step[c])
    local numbers = load(place)
    local start, used, peak, set_back = window(numbers, 1, first_length)
    local opened = { start, used, peak }
    granted = math.min(granted, math.max(0, first_limit - used))
    any_set_back = any_set_back or set_back
    if second_length > 0 then
      start, used, peak, set_back = window(numbers, 4, second_length)
      opened[4], opened[5], opened[6] = start, used, peak
      granted = math.min(granted, math.max(0, second_limit - used))
      any_set_back = any_set_back or set_back
    end
    outcome[c - 2] = opened
  end
  outcome[1] = granted
  -- A window that restarts because the clock was set back must be stored, or it would never end.
  if granted > 0 or any_set_back then
    for c = 5, #step do
      local place, _, first_length, _, second_length = unpack(step[c])
      local start, used, peak, second_start, second_used, second_peak = unpack(outcome[c - 2])
      used = used + granted
      local charged, ends_at = { start, used, math.max(peak, used) }, start + first_length
      if second_start then
        used = second_used + granted
        charged[4], charged[5], charged[6] = second_start, used, math.max(second_peak, used)
        ends_at = math.max(ends_at, second_start + second_length)
      end
      store(place, charged, ends_at)
    end
  end
  -- The counter of an offender is the only one of its step, and has two windows.
  if granted < times and offender > 0 then
    local _, _, first_length, first_limit, second_length, second_limit = unpack(step[5])
    local start, used, _, second_start, second_used = unpack(outcome[3])
    -- The window of the response's headers: fewer requests left, then the later end (`pick` in lib/model/window.ts).
    local first_left = math.max(0, first_limit - used - granted)
    local second_left = math.max(0, second_limit - second_used - granted)
    local resets_at, second_end = start + first_length, second_start + second_length
    if second_left < first_left or (second_left == first_left and second_end > resets_at) then
      resets_at = second_end
    end
    outcome[2] = refuse(offender, times - granted, threshold, resets_at)
  end
  return outcome
end

-- Applies {'refund', ...{place, start of its first window, start of its second one or 0}}: takes a request back from each of
-- these windows that is still open.
local function refund(step)
  for c = 2, #step do
    local place, first_start, second_start = unpack(step[c])
    local numbers = load(place)
    if numbers then
      if numbers[1] == first_start and numbers[2] > 0 then numbers[2] = numbers[2] - 1 end
      if numbers[4] == second_start and numbers[5] > 0 then numbers[5] = numbers[5] - 1 end
      ends[place] = ends[place] or UNCHANGED
    end
  end
  return 0
end

-- Applies {'clear', place of the offender}: it has no violations, and its time of grace restarts.
local function clear(step)
  local offender = step[2]
  local known = load(offender)
  if known then
    local window_end = known[1]
    store(offender, { window_end, now }, window_end)
  end
  return 0
end

local apply = { spend = spend, refund = refund, clear = clear }
local outcomes = {}
for n, step in ipairs(cjson.decode(ARGV[1])) do
  outcomes[n] = apply[step[1]](step)
end

-- Counters are kept longer than they last, should the clock be set back.
local LONGER_MS = 60000
for place, ends_at in pairs(ends) do
  local numbers = cjson.encode(counters[place])
  if ends_at == UNCHANGED then
    redis.call('SET', KEYS[place], numbers, 'KEEPTTL')
  else
    redis.call('SET', KEYS[place], numbers, 'PX', math.max(1, ends_at - now) + LONGER_MS)
  end
end
local reply = cjson.encode({ at = now, outcomes = outcomes })
redis.call('SET', KEYS[CALL], reply, 'PX', CALL_REMEMBERED_MS)
return reply
