declare global {
  interface ImportMeta {
    url: string;
  }
}

/** What is used of the class, which Node.js and browsers have. */
declare const URL: new (path: string, base: string) => { readonly href: string };

/** The folder of the weights: `mrz.bin`, `manifest.json`, and `known.jpg`, a drawn card by which an installed reader is checked. */
export const WEIGHTS_URL: string = new URL('../weights/', import.meta.url).href;
