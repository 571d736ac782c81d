type Area = 'localStorage' | 'sessionStorage'

/** Returns the stored value of a key, or null without one. Some private windows have no storage: null as well. */
export function readStored(key: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

/** Returns the stored value of a key. If nothing is stored, creates a value and stores it. */
export function readOrCreate(key: string, create: () => string, area?: Area): string {
  const value = readStored(key, area) ?? create()
  store(key, value, area)
  return value
}

/** Stores a value; null removes it. Has no effect if storage is unavailable or full. */
export function store(key: string, value: string | null, area: Area = 'localStorage'): void {
  try {
    if (value === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    // The value is lost on reload.
  }
}
