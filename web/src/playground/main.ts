document.body.append('The playground comes here.');
