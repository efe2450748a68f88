// Exact decimal digits of numbers, rounded as the C library rounds: half to even of the exact binary value.

/** All digits of an integer. */
export function integerText(value: number): string {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : BigInt(value).toString()
}

/** Like `%.Nf`, for a finite number that is not negative. */
export function fixed(value: number, digits: number): string {
  if (digits === 0 && Number.isInteger(value)) return integerText(value)
  if (digits <= 15 && value < 1e15) {
    const scaled = value * 10 ** digits
    // Far enough from a tie, JavaScript rounds in the same way.
    if (Math.abs(scaled - Math.floor(scaled) - 0.5) > 1e-3) return value.toFixed(digits)
  }
  const all = scaledBy(value, digits)
    .toString()
    .padStart(digits + 1, '0')
  return digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`
}

/** Like `%.Ne`, for a finite number that is not negative. */
export function exponential(value: number, digits: number): string {
  if (value === 0) return `${digits > 0 ? `0.${'0'.repeat(digits)}` : '0'}e+00`
  let exponent = Number(value.toExponential(20).split('e')[1])
  let all = scaledBy(value, digits - exponent).toString()
  if (all.length > digits + 1) {
    exponent++
    all = scaledBy(value, digits - exponent).toString()
  }
  const sign = exponent < 0 ? '-' : '+'
  const fraction = digits > 0 ? `.${all.slice(1)}` : ''
  return `${all.slice(0, 1)}${fraction}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Like `%.Ng`, for a finite number that is not negative. `keep` keeps trailing zeros, as the flag `#` does. */
export function general(value: number, digits: number, keep: boolean): string {
  const wanted = digits === 0 ? 1 : digits
  if (value === 0) return keep && wanted > 1 ? `0.${'0'.repeat(wanted - 1)}` : '0'
  const quick = keep || wanted > 15 ? null : shortText(value, wanted)
  if (quick !== null) return quick
  const written = exponential(value, wanted - 1)
  const mark = written.indexOf('e')
  const exponent = Number(written.slice(mark + 1))
  if (exponent < -4 || exponent >= wanted) {
    return trimmed(written.slice(0, mark), keep) + written.slice(mark)
  }
  return trimmed(fixed(value, wanted - 1 - exponent), keep)
}

/** The common case: JavaScript prints all digits of a number with few digits. */
function shortText(value: number, digits: number): string | null {
  if (value < 1e-4 || value >= 10 ** Math.min(digits, 15)) return null
  const text = String(value)
  return text.length <= digits + (text.startsWith('0.') ? 0 : 1) ? text : null
}

function trimmed(text: string, keep: boolean): string {
  if (keep || !text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end--
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

const view = new DataView(new ArrayBuffer(8))

/** `value` times ten to the power of `power`, rounded half to even. */
function scaledBy(value: number, power: number): bigint {
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const high = Number(bits >> 52n) & 0x7ff
  const mantissa =
    high === 0 ? bits & 0xf_ffff_ffff_ffffn : (bits & 0xf_ffff_ffff_ffffn) | 0x10_0000_0000_0000n
  const exponent = (high === 0 ? 1 : high) - 1075
  let top = mantissa
  let bottom = 1n
  if (exponent > 0) top <<= BigInt(exponent)
  else bottom <<= BigInt(-exponent)
  if (power > 0) top *= 10n ** BigInt(power)
  else bottom *= 10n ** BigInt(-power)
  const whole = top / bottom
  const twice = (top % bottom) * 2n
  return twice > bottom || (twice === bottom && (whole & 1n) === 1n) ? whole + 1n : whole
}
