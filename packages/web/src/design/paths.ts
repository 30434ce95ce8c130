/** Where the parts of pages are shown. */
export const DESIGN_PATH = '/design';
