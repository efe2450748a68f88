// Formats sizes with units: `512`, `1.5K`, `20M`. Rounds up.

const UNITS = ['', 'K', 'M', 'G', 'T']

export function humanSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  if (unit === 0) return String(bytes)
  const tenths = Math.ceil(value * 10 - 1e-9)
  if (tenths < 100) return `${(tenths / 10).toFixed(1)}${UNITS[unit] ?? ''}`
  const whole = Math.ceil(value - 1e-9)
  return whole >= 1024 && unit < UNITS.length - 1
    ? `1.0${UNITS[unit + 1] ?? ''}`
    : `${whole}${UNITS[unit] ?? ''}`
}
