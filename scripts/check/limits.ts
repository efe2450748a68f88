// Every number of npm run check, with unit and reason.

/** All uploaded modules, each gzipped, summed; assets are counted apart. A small Worker starts fast. */
export const UPLOAD_MAX_GZIP_BYTES = 700_000
