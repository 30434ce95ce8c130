/** A generator of chance from a seed: the same text always draws the same picture. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: string) {
    let hash = 2_166_136_261;
    const mixed = () => {
      for (const character of `${seed}/${hash}`)
        hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
      return hash >>> 0;
    };
    [this.a, this.b, this.c] = [mixed(), mixed(), mixed()];
    for (let i = 0; i < 12; i += 1) this.next();
  }

  /** Returns a number from 0 to below 1 (Small Fast Counter, 32 bit). */
  next(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.next();
  }

  /** Either sign, with a size from `least` to `most`. */
  aside(least: number, most: number): number {
    return this.between(least, most) * (this.chance(0.5) ? 1 : -1);
  }

  /** A whole number, both ends included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)];
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[Math.floor(this.next() * alphabet.length)]).join('');
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }
}
