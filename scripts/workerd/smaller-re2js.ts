// Makes a smaller form of re2js for the upload: most of its Unicode tables, 10 KB gzip, are made from the platform's own regular
// expressions when a pattern names a property such as \p{Lu}. Nothing else of the package changes.

/** Tables that take less than this many characters are kept: they are smaller than a call. */
const TABLE_KEPT_MAX_CHARS = 40
/** Fewer replaced tables mean that a new version of the package is built otherwise. */
const TABLES_MIN = 50

/** A function of the module: finds the ranges of a property. Surrogates are apart, so that none of them form a pair. */
const PLATFORM_TABLE = String.raw`
const platformTable = (property) => {
  const pattern = new RegExp("\\p{" + property + "}+", "gu");
  const ranges = [];
  for (const [begin, end] of [[0, 0xd800], [0xd800, 0xdc00], [0xdc00, 0xe000], [0xe000, 0x110000]])
    for (let from = begin; from < end; from += 4096) {
      const units = from > 0xffff ? 2 : 1;
      const points = new Uint32Array(Math.min(4096, end - from));
      for (let at = 0; at < points.length; at++) points[at] = from + at;
      for (const { 0: found, index } of String.fromCodePoint.apply(null, points).matchAll(pattern)) {
        const first = from + index / units;
        const last = first + found.length / units - 1;
        if (ranges.at(-2) === first - 1) ranges[ranges.length - 2] = last;
        else ranges.push(first, last, 1);
      }
    }
  return new UnicodeRangeTable(Uint32Array.from(ranges));
};
`

/** The code of re2js with tables from the platform. Throws if the package is built otherwise than expected. */
export function withPlatformTables(code: string): string {
  const [start = '', categories = '', scripts = '', rest = '', ...more] = code.split(
    /(?=static CATEGORIES = )|(?=static SCRIPTS = )|(?=static FOLD_CATEGORIES = )/,
  )
  let count = 0
  const replaced = (tables: string, prefix: string): string =>
    tables.replaceAll(
      /^(\s*)(\w+): \(\) => new UnicodeRangeTable\(decodeRanges\("([^"]*)", (?:true|false)\)\)/gm,
      (whole: string, space: string, name: string, table: string) => {
        if (table.length < TABLE_KEPT_MAX_CHARS) return whole
        count += 1
        return `${space}${name}: () => platformTable("${prefix}${name}")`
      },
    )
  const smaller = `${start}${replaced(categories, '')}${replaced(scripts, 'Script=')}${rest}`
  if (count < TABLES_MIN || more.length > 0 || !smaller.includes('const decodeOrbit'))
    throw new Error(
      'scripts/workerd/smaller-re2js.ts does not fit the installed version of re2js. Adapt it, or remove the alias of re2js in wrangler.toml and scripts/workerd/bundle.ts.',
    )
  return smaller.replace('const decodeOrbit', () => `${PLATFORM_TABLE}const decodeOrbit`)
}
