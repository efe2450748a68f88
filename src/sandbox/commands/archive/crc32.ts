// The checksum of gzip and zip files.

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1
  return value >>> 0
})

export async function crc32(bytes: Uint8Array): Promise<number> {
  let value = 0xffff_ffff
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 255] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffff_ffff) >>> 0
}
