import { CLOCK_AHEAD_MS_MAX, DAY_MS, MINUTE_MS } from "../kit/clock.js";

/**
 * Takes one unit of every charge. If one of the charges is refused, takes no unit. If the id is empty, only reads.
 *
 * KEYS: one per charge. ARGV: now, the id of this call, then for each charge the window in ms (0 for a UTC day) and the
 * maximum number of units. Reply: the number of the refused charge (0: none), then for each charge the units counted,
 * the time at which the next unit becomes free (empty when none is counted) and the UTC day (empty for a sliding
 * window). All values are strings, because integer replies lose fractions.
 *
 * A sliding window is a sorted set of unit ids by time. Its member `newest` holds the newest time at which a unit was
 * ever counted. This time stays even if the unit is given back. It is stored as -1 minus the time, so that no window
 * contains it. A UTC day is a hash of the newest counted day and its units, so that a node whose clock is behind at
 * midnight counts in the new day.
 *
 * Both kinds of window also store `counted`. This is the time, by the clock of Redis, of the last call that counted a
 * unit and whose `now` was not before the newest time. (A sorted set stores it as -1 minus the time, too.) If the
 * newest time is far ahead of `now` and `counted` is old, a clock that was ahead has been set back. All units of the
 * window are then dropped; otherwise they would count until the clock reaches the newest time again.
 *
 * Keys live for twice the length of their window plus a minute, by the clock of Redis. So a node whose clock is behind
 * by less than a window still finds them.
 */
export const TAKE_SCRIPT = `
local now, id = tonumber(ARGV[1]), ARGV[2]
local time = redis.call("TIME")
local redisNow = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local isForgotten = {}

local function text(number) return string.format("%.17g", number) end

local function windowMs(i) return tonumber(ARGV[1 + 2 * i]) end

local function max(i) return tonumber(ARGV[2 + 2 * i]) end

local function isLeftAhead(newest, counted)
  return newest - now > ${CLOCK_AHEAD_MS_MAX} and math.abs(redisNow - counted) > ${CLOCK_AHEAD_MS_MAX}
end

local function isSetBack(i)
  local key = KEYS[i]
  if windowMs(i) == 0 then
    local day = redis.call("HMGET", key, "day", "counted")
    return day[1] and isLeftAhead(tonumber(day[1]) * ${DAY_MS}, tonumber(day[2] or "0"))
  end
  local newest = redis.call("ZSCORE", key, "newest")
  return newest and isLeftAhead(-1 - tonumber(newest), -1 - tonumber(redis.call("ZSCORE", key, "counted") or "-1"))
end

local function slidingTime(key)
  local newest = not isForgotten[key] and redis.call("ZSCORE", key, "newest")
  return newest and math.max(now, -1 - tonumber(newest)) or now
end

local function outsideAt(key, ms) return text(math.max(slidingTime(key) - ms, -1)) end

local function countedDay(key)
  local day = tonumber(not isForgotten[key] and redis.call("HGET", key, "day") or "-1")
  return math.max(math.floor(now / ${DAY_MS}), day), day
end

local function unitsOf(i)
  local key, ms = KEYS[i], windowMs(i)
  if isForgotten[key] then return 0 end
  if ms > 0 then return redis.call("ZCOUNT", key, "(" .. outsideAt(key, ms), "+inf") end
  local today, day = countedDay(key)
  return today == day and tonumber(redis.call("HGET", key, "units") or "0") or 0
end

local function freeAt(i, units)
  local key, ms = KEYS[i], windowMs(i)
  if units == 0 then return "" end
  if ms == 0 then return text((countedDay(key) + 1) * ${DAY_MS}) end
  local before = math.min(units - 1, math.max(0, units - max(i)))
  local unit = redis.call("ZRANGEBYSCORE", key, "(" .. outsideAt(key, ms), "+inf", "WITHSCORES", "LIMIT", before, 1)
  return text(tonumber(unit[2]) + ms)
end

local function countSliding(i)
  local key, time = KEYS[i], slidingTime(KEYS[i])
  redis.call("ZREMRANGEBYSCORE", key, "(-1", outsideAt(key, windowMs(i)))
  redis.call("ZADD", key, text(time), id .. ":" .. i, text(-1 - time), "newest")
  if time == now then redis.call("ZADD", key, text(-1 - redisNow), "counted") end
  redis.call("PEXPIRE", key, string.format("%.0f", 2 * windowMs(i) + ${MINUTE_MS}))
end

local function countDay(i)
  local key = KEYS[i]
  local today, day = countedDay(key)
  if today ~= day then redis.call("HSET", key, "day", text(today), "units", "0") end
  if today == math.floor(now / ${DAY_MS}) then redis.call("HSET", key, "counted", text(redisNow)) end
  redis.call("HINCRBY", key, "units", 1)
  redis.call("PEXPIRE", key, ${2 * DAY_MS + MINUTE_MS})
end

local function refused()
  local asked = {}
  for i, key in ipairs(KEYS) do
    if unitsOf(i) + (asked[key] or 0) >= max(i) then return i end
    asked[key] = (asked[key] or 0) + 1
  end
  return 0
end

for i, key in ipairs(KEYS) do isForgotten[key] = isSetBack(i) end
local refusedIndex = 0
if id ~= "" then
  for key, isGone in pairs(isForgotten) do
    if isGone then redis.call("DEL", key) end
  end
  isForgotten = {}
  refusedIndex = refused()
  for i = 1, refusedIndex == 0 and #KEYS or 0 do
    if windowMs(i) > 0 then countSliding(i) else countDay(i) end
  end
end
local reply = { text(refusedIndex) }
for i, key in ipairs(KEYS) do
  local units = unitsOf(i)
  table.insert(reply, text(units))
  table.insert(reply, freeAt(i, units))
  table.insert(reply, windowMs(i) > 0 and "" or text((countedDay(key))))
end
return reply
`;

/**
 * Gives units back. KEYS: one per unit. ARGV: for each unit its UTC day (empty for a sliding window) and its id. A unit
 * of a past day, or a unit that has left the window, no longer exists.
 */
export const GIVE_BACK_SCRIPT = `
for i, key in ipairs(KEYS) do
  local day, id = ARGV[2 * i - 1], ARGV[2 * i]
  if day == "" then
    redis.call("ZREM", key, id)
  elseif redis.call("HGET", key, "day") == day then
    redis.call("HINCRBY", key, "units", -1)
  end
end
return 0
`;
