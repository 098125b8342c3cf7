import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // What the page's policy forbids is not made: no inline script, no inline style, no data: script.
  build: {
    target: 'es2024',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  // `npx vite` beside a running service, while the dashboard itself is being changed.
  server: { proxy: { '/api': 'http://127.0.0.1:8082' } },
});
