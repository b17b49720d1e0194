(()=>{const t=(()=>{try{return localStorage.getItem("theme")}catch{return null}})();(t==="light"||t==="dark")&&(document.documentElement.dataset.theme=t);})();
