// Formats numbers, sizes, money and times. Pure.

export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const kilobytes = bytes / 1024
  if (kilobytes < 1023.5) return `${kilobytes < 9.95 ? kilobytes.toFixed(1) : Math.round(kilobytes)} KB`
  return `${(kilobytes / 1024).toFixed(1)} MB`
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Formats a roughly measured duration in whole seconds. */
export function formatRoundedDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 60 ? `${seconds} s` : formatDuration(ms)
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en-US')
}

/** Formats an amount in dollars. Small amounts get more decimals. */
export function formatMoney(usd: number): string {
  if (usd === 0) return '$0'
  return `$${usd.toFixed(usd < 0.001 ? 6 : usd < 1 ? 4 : 2)}`
}

/** Formats an amount in dollars rounded to cents, where an exact amount would distract. */
export function formatCents(usd: number): string {
  if (usd === 0) return '$0'
  return usd < 0.005 ? 'under $0.01' : `$${usd.toFixed(2)}`
}

/** Formats a list price in dollars: whole dollars without decimals. */
export function formatPrice(usd: number): string {
  return `$${Number.isInteger(usd) ? usd : usd.toFixed(2)}`
}

/** Formats a rounded number of tokens, such as "200K" or "1M". */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens)
  const [count, unit] = tokens < 999_500 ? [tokens / 1_000, 'K'] : [tokens / 1_000_000, 'M']
  return `${Number(count.toFixed(count < 10 ? 1 : 0))}${unit}`
}

/** A shortened digest. Callers show the full digest in a tooltip. */
export function shortenDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 10)
}

export function formatTime(time: string): string {
  return formatInLocale((locale) =>
    new Date(time).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' }),
  )
}

/** Formats a time in the next days, such as "Nov 29, 6:00 PM". */
export function formatDeadline(time: string): string {
  return formatInLocale((locale) =>
    new Date(time).toLocaleString(locale, {
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }),
  )
}

const SINCE_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago a time was, such as "5 minutes ago". */
export function formatSince(time: string, now: number): string {
  const elapsedMs = Math.max(0, now - Date.parse(time))
  if (Number.isNaN(elapsedMs)) return ''
  const [unit, unitMs] = SINCE_UNITS.find(([, ms]) => elapsedMs >= ms) ?? ['second', Infinity]
  return formatInLocale((locale) =>
    new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(elapsedMs / unitMs), unit),
  )
}

/** Formats in the browser's locale, or in `en-US` if Intl rejects that locale. */
export function formatInLocale(format: (locale: string | undefined) => string): string {
  try {
    return format(undefined)
  } catch {
    return format('en-US')
  }
}
