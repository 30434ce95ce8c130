/** A set of numbers of erasures. It takes a bit for each number up to the highest, so that those of years fit into memory. */
interface NumberSet {
  add(number: number): void;
  has(number: number): boolean;
}

const BITS = 8;

export function createNumberSet(): NumberSet {
  let bytes = new Uint8Array(1_024);
  const placeOf = (number: number) => ({ index: Math.floor(number / BITS), bit: 1 << (number % BITS) });
  return {
    add(number) {
      const { index, bit } = placeOf(number);
      if (index >= bytes.length) {
        const larger = new Uint8Array(2 * index);
        larger.set(bytes);
        bytes = larger;
      }
      bytes[index] = (bytes[index] ?? 0) | bit;
    },
    has(number) {
      const { index, bit } = placeOf(number);
      return ((bytes[index] ?? 0) & bit) !== 0;
    },
  };
}
