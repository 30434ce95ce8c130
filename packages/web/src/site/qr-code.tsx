import type { FC } from 'hono/jsx';
import { drawQr } from './qr-svg.ts';

/** The text as a QR code: dark on white in every colour scheme, or cameras do not find it. */
export const QrCode: FC<{ text: string; alt: string }> = ({ text, alt }) => {
  const { size, path } = drawQr(text);
  return (
    <svg class="qr-code" role="img" aria-label={alt} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};
