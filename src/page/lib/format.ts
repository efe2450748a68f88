// Formats numbers, sizes, money and times. Pure.

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const kilo = bytes / 1024
  if (kilo < 1023.5) return `${kilo < 9.95 ? kilo.toFixed(1) : Math.round(kilo)} KB`
  return `${(kilo / 1024).toFixed(1)} MB`
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Whole seconds, for durations measured roughly. */
export function wholeSeconds(ms: number): string {
  const whole = Math.max(1, Math.round(ms / 1000))
  return whole < 60 ? `${whole} s` : duration(ms)
}

export function number(value: number): string {
  return value.toLocaleString('en-US')
}

/** Dollars, rounded to the first significant digits. */
export function money(usd: number): string {
  if (usd === 0) return '$0'
  return `$${usd.toFixed(usd < 0.001 ? 6 : usd < 1 ? 4 : 2)}`
}

/** A shortened digest. The tooltip shows all of it. */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 10)
}

export function wholeTime(time: string): string {
  return inLocale((locale) =>
    new Date(time).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' }),
  )
}

/** In the reader’s own way; a browser’s locale can be one that Intl refuses. */
export /** Intl can refuse a browser's own locale. */
function inLocale(format: (locale: string | undefined) => string): string {
  try {
    return format(undefined)
  } catch {
    return format('en-US')
  }
}
