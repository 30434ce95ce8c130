import type { CookieChange, Visitor } from '@countersign/domain/staff';

/** A browser that keeps cookies. */
export interface Browser {
  readonly visitor: Visitor;
  /** Stores the cookies that a response sets, and returns the response. */
  keep<T extends object>(answer: T & Partial<CookieChange>): T;
  /** Returns the attributes with which a cookie was last set. */
  attributesOf(part: string): string;
}

export function newBrowser(clientAddress = '192.0.2.1'): Browser {
  const jar = new Map<string, string>();
  const set = new Map<string, string>();
  return {
    get visitor() {
      const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      return { cookies: cookies || undefined, clientAddress };
    },
    keep(answer) {
      for (const line of answer.setCookies ?? []) {
        const [pair = '', ...attributes] = line.split('; ');
        const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
        set.set(name, attributes.join('; '));
        if (/max-age=0/i.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
      return answer;
    },
    attributesOf: (part) => [...set].find(([name]) => name.includes(part))?.[1] ?? '',
  };
}
